import { testKillsAtLeastOnce } from './kills';

testKillsAtLeastOnce();
