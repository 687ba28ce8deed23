import { Lazy } from 'aws-cdk-lib';
import { FlinkArchitecture } from '../../lib/application/flink-architecture';
import { FlinkImage } from '../../lib/application/flink-image';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('a named image', () => {
  test.each([
    'flink:2.2.1',
    'team/flink:2.2.1-r3',
    'localhost:5000/team/flink:1',
    '111122223333.dkr.ecr.cn-north-1.amazonaws.com.cn/team/user_events:2026-11-30',
    'registry.example.com:8443/a-b/c__d.e:v1',
    `team/flink@${DIGEST}`,
    `team/flink:latest@${DIGEST}`,
  ])('%s is fixed', (image) => {
    expect(FlinkImage.named(image)).toMatchObject({ imageName: image, floatingTag: false, architecture: undefined });
  });

  test.each(['flink', 'team/flink:latest', 'localhost:5000/flink'])('%s has a floating tag', (image) => {
    expect(FlinkImage.named(image).floatingTag).toBe(true);
  });

  test('a token passes and counts as fixed', () => {
    const image = Lazy.string({ produce: () => 'never seen' });
    expect(FlinkImage.named(image)).toMatchObject({ imageName: image, floatingTag: false });
    expect(FlinkImage.named(`${image}:latest`).floatingTag).toBe(false);
  });

  test.each(['', 'Team/Flink:1', 'flink:', 'flink: 2', 'flink:2.2.1 ', 'https://example.com/flink:1', 'a//b:1', '-a:1', 'flink@sha256:12'])(
    '%p is refused',
    (image) => {
      expect(() => FlinkImage.named(image)).toThrow(`image must be an image reference such as 'registry/repository:tag'`);
    },
  );
});

describe('an image to build', () => {
  test('starts from an image that is known at synth', () => {
    const baseImage = Lazy.string({ produce: () => 'flink:2.2.1' });
    expect(() => FlinkImage.generated({ baseImage })).toThrow('baseImage must be known at synth');
  });

  test('is for x86 and starts from the official image unless told otherwise', () => {
    expect(FlinkImage.generated()).toMatchObject({
      imageName: undefined,
      floatingTag: false,
      architecture: FlinkArchitecture.X86_64,
      baseImage: undefined,
    });
  });

  test('takes an architecture and a base', () => {
    const image = FlinkImage.generated({ architecture: FlinkArchitecture.ARM_64, baseImage: 'team/flink:2.2.1' });
    expect(image).toMatchObject({ architecture: 'arm64', baseImage: 'team/flink:2.2.1' });
    expect(() => FlinkImage.generated({ baseImage: 'Team Flink' })).toThrow('baseImage must be an image reference');
  });
});
