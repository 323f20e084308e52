import { expect, it } from 'vitest';
import { parseInterruption } from './interrupted-call';

it('an interrupted call is remembered whole or not at all', () => {
  expect(parseInterruption({ kind: 'chat', isSolved: false })).toEqual({ kind: 'chat', isSolved: false });
  for (const foreign of [
    null,
    'chat',
    {},
    { kind: 'toString', isSolved: true },
    { kind: 'rpc' },
    { kind: 'https://evil.example', isSolved: true },
  ])
    expect(parseInterruption(foreign)).toBeNull();
});
