import { describe, expect, it } from 'vitest';
import { ERRORS, isApiError } from '@/lib/protocol/errors';
import type { Call } from './call';
import { requireJson } from './json-body';

const call = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] ?? null }) as Call;
const status = (headers: Record<string, string>) => {
  try {
    requireJson(call(headers));
    return 200;
  } catch (error) {
    if (isApiError(error)) return ERRORS[error.code].status;
    throw error;
  }
};

describe('a body is announced as JSON, or not at all', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json-rpc',
    'application/vnd.api+json',
    'application/json ',
  ])('%j is accepted', (type) => {
    expect(status({ 'content-type': type })).toBe(200);
  });

  it('a missing type is accepted', () => expect(status({})).toBe(200));

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'xapplication/json',
    'text/json',
    '',
    'json',
    'application/json/x',
  ])('%j is 415', (type) => {
    expect(status({ 'content-type': type })).toBe(415);
  });

  it.each([
    ['gzip', 415],
    ['br', 415],
    ['identity', 200],
    ['Identity', 200],
    ['identity, gzip', 415],
  ])('the encoding %s is %i', (encoding, expected) => {
    expect(status({ 'content-encoding': encoding })).toBe(expected);
  });
});
