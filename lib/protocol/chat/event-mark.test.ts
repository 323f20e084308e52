import { expect, it } from 'vitest';
import { dataOfEvent } from './event-mark';

it.each([
  ['data: {"a":1}\n\n', '{"a":1}'],
  ['data: {"a":1}\r\n\r\n', '{"a":1}'],
  ['data: {"a":1}\n\r\n', '{"a":1}'],
  ['data:{"a":1}\n\n', '{"a":1}'],
  ['data:  {"a":1} \n\n', ' {"a":1} '],
  ['data: \n\n', ''],
  ['data: {"a":\ndata: 1}\n\n', '{"a":\n1}'],
  ['event: message\ndata: {"a":1}\n\n', '{"a":1}'],
  [': keep-alive\n\n', ''],
  ['data: {"a":1}\n: a word\n\n', '{"a":1}'],
  ['error: {"code":500}\n\n', '{"code":500}'],
  ['data: {"a":"größer"}\n\n', '{"a":"größer"}'],
  ['data: {"a":1}', '{"a":1}'],
  ['data: {"a":1}\n', '{"a":1}'],
  ['data: \ndata: x\n\n', '\nx'],
])('the data of the event %j is read as the standard has it, on whichever lines it stands', (event, data) => {
  expect(dataOfEvent(new TextEncoder().encode(event))).toBe(data);
});
