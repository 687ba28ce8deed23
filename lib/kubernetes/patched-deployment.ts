import { ApiObject } from 'cdk8s';

/** A FlinkDeployment, whose patches name their places by text alone. */
export class PatchedDeployment extends ApiObject {
  /**
   * The object with its patches.
   *
   * @throws where a patch goes below what is not there, of which cdk8s tells neither the patch nor the cure
   */
  public override toJson(): object {
    try {
      return super.toJson();
    } catch (error) {
      if (!/TypeError: Cannot (read|set) properties of undefined/.test(String(error))) {
        throw error;
      }
      throw new Error(
        `a patch of FlinkDeployment '${this.name}' goes below a part that it does not have: add that part first, with all that is in it; ` +
          `pod templates stand at '/spec/jobManager/podTemplate' and '/spec/taskManager/podTemplate', and options at '/spec/flinkConfiguration'`,
        { cause: error },
      );
    }
  }
}
