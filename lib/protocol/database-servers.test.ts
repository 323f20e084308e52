import { describe, expect, it } from 'vitest';
import { serversOf } from './database-servers';

describe('the servers of a database URL', () => {
  it('are those of its list, each with its port, and the first one is in the URL for the driver', () => {
    expect(serversOf('postgres://u:p%2C@a:5433,[::1]:6000,%2Frun%2Fpg/db?sslmode=require')).toEqual({
      url: 'postgres://u:p%2C@a:5433/db?sslmode=require',
      servers: [
        { host: 'a', port: 5433 },
        { host: '::1', port: 6000 },
        { host: '/run/pg', port: 5432 },
      ],
      isPrepared: true,
    });
  });

  it.each([
    'postgres://u:p@a:5432/db',
    'postgres:///b?user=u&host=%2Frun%2Fpg',
    'postgres://u:p,q@/db',
    'postgres://a/db?options=-c%20x=1,2',
  ])('are not listed when there is one: %s', (url) => {
    expect(serversOf(url)).toEqual({ url, servers: [], isPrepared: true });
  });

  it('may be poolers that keep no prepared statements', () => {
    expect(serversOf('postgres://a/db?prepared_statements=false').isPrepared).toBe(false);
  });

  it.each([
    ['postgres://a:0x1,b/db', /host or host:port/],
    ['postgres://a,,b/db', /host or host:port/],
    ['postgres://a,b:70000/db', /host or host:port/],
    ['postgres://a,b:0/db', /host or host:port/],
    ['postgres://a,%zz/db', /host or host:port/],
    ['postgres://a,b/db?target_session_attrs=any', /the gateway writes to the database/],
    ['postgres://a/db?target_session_attrs=standby', /the gateway writes to the database/],
    ['postgres://a/db?prepared_statements=no', /true or false/],
  ])('that are wrong are refused without showing the URL: %s', (url, message) => {
    const error = (() => {
      try {
        return serversOf(url.replace('//', '//user:hunter2@'));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(RangeError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('hunter2');
  });
});
