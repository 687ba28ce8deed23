/** Processor architecture of the image and of the nodes that run it, as Docker platforms and the node label `kubernetes.io/arch` name it. */
export enum FlinkArchitecture {
  /** 64-bit x86. */
  X86_64 = 'amd64',
  /** 64-bit ARM, such as AWS Graviton. */
  ARM_64 = 'arm64',
}
