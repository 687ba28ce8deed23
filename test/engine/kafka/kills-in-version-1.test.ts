import { testKillsInVersion } from './kills';

testKillsInVersion(1);
