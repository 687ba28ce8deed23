import { type App, Validations } from 'aws-cdk-lib';
import { FlinkPlanCheck } from '../lib';

export function planned(app: App): void {
  Validations.of(app).addPlugins(new FlinkPlanCheck());
}
