import { afterEach, describe, expect, it, vi } from 'vitest';
import { relayLine, stderrLog } from './log';
import { recordingLog } from './sandbox-under-test';

describe('stderrLog and relayLine', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('carry an event from one process to another as one line, at its level', () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    stderrLog.info('chain started');
    stderrLog.warn('chain ended:\n  panicked');
    const log = recordingLog();
    for (const line of written) relayLine(line.trimEnd(), log);
    expect(log).toMatchObject({ lines: ['chain started'], warnings: ['chain ended: panicked'] });
    expect(written.join('').match(/\n/g)).toHaveLength(2);
  });
});
