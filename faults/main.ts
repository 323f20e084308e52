import { noArguments, readOptions } from '@/lib/command-line/options';
import { exitCodeOf } from '@/lib/command-line/program';
import { UsageError } from '@/lib/command-line/usage-error';
import { idleConnections, stalledReaders } from './client-faults';
import type { Extent, Fault } from './fault';
import { make, type Outcome, table, told } from './outcome';
import { postgresFailover } from './failover-fault';
import { clockJump, killed, killedUnderLoad, terminated } from './process-faults';
import { diskFull, postgresAway, postgresRestart } from './store-faults';
import { certificateExpired, dnsGone, garbage, halfOpen, slow, wrongChain } from './upstream-faults';

const FAULTS: readonly Fault[] = [
  killed,
  killedUnderLoad,
  terminated,
  postgresRestart,
  postgresAway,
  postgresFailover,
  diskFull,
  clockJump,
  wrongChain,
  slow,
  garbage,
  halfOpen,
  dnsGone,
  stalledReaders,
  idleConnections,
  certificateExpired,
];

const HELP = `
npm run faults -- [options]

Produces each fault of the table in docs/runbook.md on a gateway of its own, on loopback. Checks
what callers see, what is charged and how the fault ends, and then checks the ledger. The exit
code is 1 if a condition did not hold, or if this machine cannot produce a fault.

  --only NAME        only this fault; may be given several times
  --list             the faults
  --away-seconds N   seconds for which Postgres is unavailable (60)
  --kills N          number of kills by kill-9-under-load and postgres-failover (3)
  --kill-every N     seconds of load before each kill (10)
  --json             print the observations as JSON
  -h, --help         this text
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    json: { type: 'boolean' },
    'away-seconds': { type: 'string', default: '60' },
    kills: { type: 'string', default: '3' },
    'kill-every': { type: 'string', default: '10' },
    help: { type: 'boolean', short: 'h' },
  });
  noArguments(positionals);
  if (values.help) return say(HELP);
  if (values.list) return say(FAULTS.map(({ name, title }) => `${name.padEnd(22)}${title}\n`).join(''));
  const unknown = values.only?.find((name) => !FAULTS.some((fault) => fault.name === name));
  const extent: Extent = {
    awaySeconds: Number(values['away-seconds']),
    kills: Number(values.kills),
    killEverySeconds: Number(values['kill-every']),
  };
  if (unknown !== undefined) throw new UsageError(`There is no fault "${unknown}". See --list.`);
  if (!Object.values(extent).every((value) => value >= 1))
    throw new UsageError('--away-seconds, --kills and --kill-every must be numbers from 1.');
  const outcomes: Outcome[] = [];
  for (const fault of FAULTS.filter(({ name }) => values.only?.includes(name) ?? true)) {
    process.stderr.write(`${fault.name}: ${fault.title} …\n`);
    const outcome = await make(fault, extent);
    process.stderr.write(`${told(outcome)}\n`);
    outcomes.push(outcome);
  }
  say(values.json ? `${JSON.stringify(outcomes, null, 2)}\n` : table(outcomes));
  return outcomes.every(({ seen }) => seen !== null) ? 0 : 1;
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

process.exitCode = await exitCodeOf(main);
