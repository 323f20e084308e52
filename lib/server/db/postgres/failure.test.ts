import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { describeDatabase, endsConnection, kindOfFailure } from './failure';

function failure(code: string, severity = 'ERROR'): Error {
  return Object.assign(new pg.DatabaseError('x', 0, 'error'), { code, severity });
}

describe('what a failed statement means', () => {
  it.each([
    ['a lock not won in time', failure('55P03'), 'lock'],
    ['a check that failed', failure('23514'), 'refused'],
    ['an exception of a function', failure('P0001'), 'refused'],
    ['a deadlock', failure('40P01'), 'refused'],
    ['a statement that took too long', failure('57014'), 'unavailable'],
    ['a full disk', failure('53100'), 'unavailable'],
    ['a conflict of transactions on a partition', failure('40001'), 'unavailable'],
    ['a batch of which some partitions may have committed', failure('40003'), 'partial'],
    ['a server that is now a standby', failure('25006'), 'unavailable'],
    ['a server that is shut down under the statement', failure('57P01', 'FATAL'), 'unknown'],
    ['a crash of the server', failure('57P02', 'PANIC'), 'unknown'],
    ['a connection that broke', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 'unknown'],
    ['an answer that did not come', new Error('Query read timeout'), 'unknown'],
  ])('%s', (_name, error, kind) => {
    expect(kindOfFailure(error)).toBe(kind);
  });
});

describe('a connection after a failed statement', () => {
  it.each([
    ['is used again after a check that failed', failure('23514'), false],
    ['is used again after a statement that took too long', failure('57014'), false],
    ['is closed when its server has become a standby', failure('25006'), true],
    ['is closed when no answer came', new Error('Query read timeout'), true],
  ])('%s', (_name, error, isClosed) => {
    expect(endsConnection(error)).toBe(isClosed);
  });
});

describe('a database as it may be shown', () => {
  it.each([
    ['postgres://user:secret@db.example:5433/turnpike', 'database turnpike at db.example:5433'],
    ['postgresql://db.example/turnpike?sslmode=require', 'database turnpike at db.example'],
    ['postgres:///b?user=u&password=secret&host=%2Frun%2Fpg', 'database b at /run/pg'],
    ['postgres://user:secret@a:1,b/turnpike', 'database turnpike at a:1, b:5432'],
    ['postgres://user:secret@/b', 'a URL without a host'],
    ['postgres://localhost', 'database by default at localhost'],
  ])('%s', (url, shown) => {
    expect(describeDatabase(url)).toBe(shown);
  });
});
