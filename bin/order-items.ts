import { App } from 'aws-cdk-lib';
import { OrderItemsStack } from './order-items-stack';

const app = new App();
new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
app.synth();
