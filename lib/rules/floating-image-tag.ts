import type { Rule } from './rule';

/** An image reference that means something else tomorrow. */
export const floatingImageTag: Rule = {
  name: 'FloatingImageTag',
  level: 'warning',
  looksAt: 'the tag of a named image',
  description: 'The named image has no tag, or the tag `latest`.',
  why: 'A pod that restarts may run another image than the others.',
  cure: 'A tag of its own for each build, or a digest.',
  check: (application) =>
    application.image.floatingTag
      ? [
          {
            message: `image '${application.image.imageName}' of job '${application.jobName}' has no fixed tag: a pod that restarts may run another image than the others; name a tag of its own for each build, or a digest`,
          },
        ]
      : [],
};
