import { describe, expect, it } from 'vitest';
import { formatLogLine } from './log';

const TIME = '2026-11-20T10:11:12.000Z';

describe('a log line at a terminal', () => {
  it('says when, what, and the fields behind it', () => {
    const line = JSON.stringify({
      level: 40,
      time: TIME,
      network: 'base-mainnet',
      attempts: 2,
      msg: 'the upstream failed',
    });
    expect(formatLogLine(line)).toBe('10:11:12 warning: the upstream failed network=base-mainnet attempts=2\n');
  });

  it('does not name the level of news', () => {
    expect(formatLogLine(JSON.stringify({ level: 30, time: TIME, msg: 'started' }))).toBe('10:11:12 started\n');
  });

  it('lets no text from outside steer the terminal', () => {
    const line = JSON.stringify({ level: 30, time: TIME, msg: 'path \u001b[2J\r/x' });
    expect(formatLogLine(line)).toBe('10:11:12 path \uFFFD[2J\uFFFD/x\n');
    const err = { stack: 'Error: \u001b]0;x\u0007 \u009b2J\n    at a.ts:1' };
    expect(formatLogLine(JSON.stringify({ level: 50, time: TIME, msg: 'failed', err }))).toBe(
      '10:11:12 error: failed\nError: \uFFFD]0;x\uFFFD \uFFFD2J\n    at a.ts:1\n',
    );
  });
});
