import { App } from 'aws-cdk-lib';
import { UserEventsStack } from './user-events-stack';

const app = new App();
new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
app.synth();
