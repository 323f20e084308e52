import { expect, it } from 'vitest';
import { UnreachableError } from '@/lib/client';
import { readGatewayError } from '@/lib/client/gateway-error';
import { isKeptError, keepError, reviveError } from './kept-error';

const refusal = (bodyText: string) =>
  readGatewayError({ status: 402, headers: new Headers({ 'x-request-id': 'r', 'retry-after': '7' }) }, bodyText, 3);

it('a refusal and a broken line come back after a reload as they were', () => {
  for (const error of [
    refusal('{"error":"Too little.","code":"INSUFFICIENT_BALANCE"}'),
    new UnreachableError('http://gateway.example', false, { hasBegun: true }),
  ]) {
    const stored: unknown = JSON.parse(JSON.stringify(keepError(error)));
    expect(isKeptError(stored)).toBe(true);
    expect(isKeptError(stored) && reviveError(stored)).toEqual(error);
  }
});

it('what says nothing later is not kept: a fault of the page, and an answer without end', () => {
  expect(keepError(new TypeError('x is undefined'))).toBeNull();
  expect(keepError(refusal('x'.repeat(100_000)))).toBeNull();
});

it.each([
  null,
  'refused',
  {},
  { kind: 'refused' },
  { kind: 'refused', status: 402, message: 'm', detail: {} },
  { kind: 'unreachable', baseUrl: 3, hasBegun: true },
])('a foreign shape is refused: %j', (stored) => {
  expect(isKeptError(stored)).toBe(false);
});
