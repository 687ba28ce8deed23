import { connectorJars } from '../../lib/planner/connector-jars';
import { preparePlanner } from '../../lib/planner/planner-home';
import { PreparedPlanner } from '../../lib/planner/prepared-planner';

jest.mock('../../lib/planner/planner-home', () => ({ preparePlanner: jest.fn(() => ({ java: 'java', args: [], javaHome: '/jdk' })) }));
jest.mock('../../lib/planner/connector-jars', () => ({
  connectorJars: jest.fn((coordinates: string[]) => ({ paths: coordinates.map((name) => `${name}.jar`), absent: [] })),
}));

test('however often it is asked, the planner is made ready once, and the jars of an image are looked for once', () => {
  const planner = new PreparedPlanner(['mine.jar'], () => {});
  expect(preparePlanner).not.toHaveBeenCalled();
  expect(planner.jars(['a', 'b']).paths).toEqual(['a.jar', 'b.jar', 'mine.jar']);
  expect(planner.jars(['c']).paths).toEqual(['c.jar', 'mine.jar']);
  expect(planner.jars(['a', 'b']).paths).toEqual(['a.jar', 'b.jar', 'mine.jar']);
  expect(planner.command()).toBe(planner.command());
  expect(preparePlanner).toHaveBeenCalledTimes(1);
  expect(connectorJars).toHaveBeenCalledTimes(2);
});
