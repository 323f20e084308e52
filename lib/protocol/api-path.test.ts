import { expect, it } from 'vitest';
import { apiPathOf } from './api-path';

/** Guarantee: a path with extra slashes still finds its route, and a model id never selects another route. */

it.each([
  ['/v1/messages', '/v1', '/messages'],
  ['//v1/messages', '/v1', '/messages'],
  ['/v1//messages//', '/v1', '/messages'],
  ['/api/v1/messages/count_tokens/', '/api/v1', '/messages/count_tokens'],
  ['/api//v1/messages', '/api/v1', '/messages'],
  ['/v1', '/v1', '/'],
  ['/', '', '/'],
  ['/messages', '', '/messages'],
  ['/v12/messages', '', '/v12/messages'],
  ['/api/messages', '', '/api/messages'],
  ['/v1/models/org/name', '/v1', '/models/org%2Fname'],
  ['/v1/models/org%2fname/', '/v1', '/models/org%2Fname'],
  ['/v1/models/a b?', '/v1', '/models/a%20b%3F'],
  ['/v1/models/../billing', '/v1', '/models/..%2Fbilling'],
  ['/v1/models/%2e%2e', '/v1', '/models/%2e%2e'],
  ['/v1/models/%', '/v1', '/models/%'],
  ['/v1/%6dessages', '/v1', '/%6dessages'],
  ['/api%2fv1/messages', '', '/api%2fv1/messages'],
])('%s', (given, base, path) => {
  expect(apiPathOf(given)).toEqual({ base, path });
});
