/**
 * Annotations of an object that stays when its manifest is gone. The removal policy of a stack says nothing to the GitOps tool that
 * applies a manifest file: without these, Argo CD and Flux delete what is no longer in the file. Elsewhere nobody reads them.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#prune
 */
export const NEVER_PRUNED: { readonly [annotation: string]: string } = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};
