import { writeFileSync } from 'fs';
import { join } from 'path';
import { rulesReference } from './rules-page';

/** Writes the rules, `docs/rules.md`, out of the rules themselves and the cases that no rule can meet. */
writeFileSync(join('docs', 'rules.md'), rulesReference());
