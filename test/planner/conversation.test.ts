import { Conversation } from '../../lib/planner/conversation';
import { readAnswer } from '../../lib/planner/planner-batch';

const QUESTION = { program: { script: 'SELECT 1' } };

test('an answer belongs to its question, in whatever order they come', async () => {
  const lines: string[] = [];
  const conversation = new Conversation((line) => lines.push(line));
  const answers = [conversation.ask(QUESTION), conversation.ask(QUESTION)];
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([0, 1]);
  conversation.answer('{"id":1,"error":"no"}');
  conversation.answer('{"id":0,"result":{"sinks":{}}}');
  await expect(answers[0]).resolves.toMatchObject({ id: 0 });
  await expect(answers[1]).rejects.toThrow('no');
});

test('what Java itself writes is no answer', () => {
  expect(readAnswer('Error occurred during initialization of VM')).toBeUndefined();
  expect(readAnswer('{ broken')).toBeUndefined();
  expect(readAnswer('{"id":3}')).toEqual({ id: 3 });
});

test('an answer to no question ends the conversation: nobody waits for ever', async () => {
  const conversation = new Conversation(() => {});
  const waiting = conversation.ask(QUESTION);
  conversation.answer('{"id":-1,"error":"not to be read"}');
  await expect(waiting).rejects.toThrow('not to be read');
  await expect(conversation.ask(QUESTION)).rejects.toThrow('not to be read');
});
