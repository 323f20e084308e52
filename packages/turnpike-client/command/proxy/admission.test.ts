import { describe, expect, test } from 'vitest';
import { admit } from './incoming-request';

/** Guarantee: a loopback proxy spends for every holder of its token, and for no browser page without the token. */

const TOKEN = 'aToken-of_24-characters0';
const asked = (headers: Record<string, string>, url = '/v1/models') =>
  admit({ headers: { host: '127.0.0.1:8402', ...headers }, url }, { token: TOKEN, port: 8402 });

describe('with the token', () => {
  test.each([
    ['as a Bearer', { authorization: `Bearer ${TOKEN}` }],
    ['as a Bearer in another spelling', { authorization: `bearer  ${TOKEN}` }],
    ['as x-api-key', { 'x-api-key': TOKEN }],
    ['beside a Bearer of somebody else', { authorization: 'Bearer other', 'x-api-key': TOKEN }],
    ['by the name localhost', { host: 'LOCALHOST:8402', 'x-api-key': TOKEN }],
    ['by the address of IPv6', { host: '[::1]:8402', 'x-api-key': TOKEN }],
    ['from a page', { origin: 'https://app.example', 'x-api-key': TOKEN }],
  ])('%s it is let in', (_, headers) => {
    expect(asked(headers)).toEqual({ path: '/v1/models' });
  });

  test.each([
    [`/${TOKEN}/rpc/base-mainnet`, '/rpc/base-mainnet'],
    [`/${TOKEN}`, '/'],
    [`/${TOKEN}?limit=1`, '?limit=1'],
    [`/${TOKEN}/v1/models?type=text`, '/v1/models?type=text'],
  ])('in the path %s, which is left out of it', (url, path) => {
    expect(asked({}, url)).toEqual({ path });
  });
});

describe('without it', () => {
  test.each([
    ['nothing', {}, 401],
    ['an empty Bearer', { authorization: 'Bearer ' }, 401],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['a beginning of it', { 'x-api-key': TOKEN.slice(0, 8) }, 401],
    ['more than it', { 'x-api-key': `${TOKEN}0` }, 401],
    ['a page', { origin: 'https://evil.example' }, 403],
    ['a page of a file', { origin: 'null' }, 403],
    ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a navigation by a person', { 'sec-fetch-site': 'none' }, 401],
  ])('%s: refused', (_, headers, status) => {
    expect(asked(headers as Record<string, string>)).toMatchObject({ status });
  });
});

test.each([
  'evil.example:8402',
  '127.0.0.1',
  '127.0.0.1:80',
  '127.0.0.1:84020',
  'localhost.evil.example:8402',
  'evil.example#127.0.0.1:8402',
  '',
])('by the name %j it is refused with the token, too: a name can be rebound to loopback', (host) => {
  expect(asked({ host, 'x-api-key': TOKEN })).toMatchObject({ status: 403 });
});
