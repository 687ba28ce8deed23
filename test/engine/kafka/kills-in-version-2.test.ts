import { testKillsInVersion } from './kills';

testKillsInVersion(2);
