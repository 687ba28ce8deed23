import { CASES, DEPARTURES, filesWithSkippedTests, NOT_OURS, testedCases } from '../test/cases/case-list';

/** Fails where a case is neither tested nor said to be out of reach, where it is both, where an id is none of the list, and where a test is skipped. */
function main(): void {
  const tested = new Set(testedCases());
  const complaints = [
    ...Object.entries(CASES)
      .filter(([id]) => !tested.has(id) && !(id in NOT_OURS))
      .map(([id, { severity, title }]) => `${id} (${severity}) has neither a test in test/cases nor an entry in not-ours.json: ${title}`),
    ...Object.keys(NOT_OURS)
      .filter((id) => tested.has(id))
      .map((id) => `${id} has a test and an entry in not-ours.json: remove one of them`),
    ...Object.keys(DEPARTURES)
      .filter((id) => !tested.has(id))
      .map((id) => `${id} departs from its case without a test that shows it`),
    ...[...tested, ...Object.keys(NOT_OURS), ...Object.keys(DEPARTURES)]
      .filter((id) => !(id in CASES))
      .map((id) => `${id} is no case of cases.json`),
    ...filesWithSkippedTests().map((file) => `test/cases/${file} has a test that does not run`),
  ];
  complaints.forEach((complaint) => {
    console.error(complaint);
  });
  const total = Object.keys(CASES).length;
  console.log(`${total} cases: ${tested.size} tested, ${Object.keys(NOT_OURS).length} not ours, ${complaints.length} complaints`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

main();
