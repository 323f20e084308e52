import { examine } from './doctor/doctor';
import type { Finding } from './doctor/finding';
import type { OfflineCommand } from './command';
import { wholeNumber } from './values';

const TIMEOUT_MS_MAX = 60_000;
const MARKS: Readonly<Record<Finding['verdict'], string>> = { ok: 'ok      ', warning: 'WARNING ', fault: 'FAULT   ' };

export const runDoctor: OfflineCommand = {
  offline: true,
  name: 'doctor',
  summary: 'Check the configuration, its upstreams and services, and say what to fix',
  options: {
    'timeout-ms': { type: 'string', value: 'MS', description: 'Timeout of each request; 5000 by default' },
  },
  argument: {
    name: 'FILE',
    description: 'Configuration file; by default the file that a gateway in this folder would use',
  },
  secretNeeded: true,
  run: async ({ config, source, options }) => {
    const timeoutMs = wholeNumber(options, 'timeout-ms', TIMEOUT_MS_MAX);
    const findings = await examine(config, { file: source.file, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    const count = (verdict: Finding['verdict']): number => findings.filter((each) => each.verdict === verdict).length;
    const [faults, warnings] = [count('fault'), count('warning')];
    const lines = findings.flatMap(({ subject, verdict, sentence, remedy }) => [
      `${MARKS[verdict]}${subject}: ${sentence}`,
      ...(remedy === null ? [] : [`        ${remedy}`]),
    ]);
    return {
      text: [
        ...lines,
        '',
        `${findings.length} looks: ${faults} fault${faults === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`,
      ].join('\n'),
      json: { ok: faults === 0, file: source.file, faults, warnings, findings },
      exitCode: faults === 0 ? 0 : 1,
    };
  },
};
