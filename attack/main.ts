import { writeFileSync } from 'node:fs';
import { noArguments, readOptions } from '@/lib/command-line/options';
import { exitCodeOf } from '@/lib/command-line/program';
import { UsageError } from '@/lib/command-line/usage-error';
import type { Attack } from './attack';
import { ATTACKS } from './attacks';
import type { Generation } from './lying/call-outcome';
import { renderList, renderOutcome, renderSummary } from './report';
import { type Outcome, runAttacks } from './run';
import { openStage, type StageName, STAGES } from './stage/stage';
import { openRunning } from './running';

const HELP = `Usage: npm run attack -- [OPTIONS]

Attacks the gateway and prints for each attack whether the gateway withstood it, with measurements: balances on chain,
requests to upstreams, writes to disk, and the latency of other callers.

Without --url, starts all targets in temporary folders: turnpike-client with a gateway that lies to it, a gateway with
nodes and model servers that lie to it, and three gateways of the built product on simulated chains and models. These
three have the sandbox profile, the live profile that settles payments in its own process, and the live profile with a
remote facilitator. This program runs the facilitator, which lies when an attack needs it.

  --url URL              Attack a running gateway from outside. It must be on this machine
  --i-own-this-gateway   Allow a URL on another machine. Attacking a gateway that is not yours is a crime
  --key KEY              API key with a balance on that gateway; some attacks spend fractions of a cent
  --stage LIST           Some of ${STAGES.join(', ')} (default all)
  --only LIST            Ids of attacks, separated by commas; the beginning of an id is enough
  --quick                Short form that npm test runs: only quick attacks, each on one gateway to which it applies
  --answers N            Number of false answers of each kind (default 10,000, with --quick 48)
  --seed N               Seed of the false answers (default: a new one in each run, with --quick 1)
  --list                 List the attacks
  --json                 Print JSON
  --report FILE          Also write the JSON to a file
  -h, --help             Show this text

The exit code is 1 if any attack was not held.
`;

const QUICK_STAGES: readonly StageName[] = ['client', 'upstreams', 'live', 'live-remote'];
const ANSWERS = { whole: 10_000, quick: 48 } as const;
const SEED_MAX = 2 ** 31;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    url: { type: 'string' },
    'i-own-this-gateway': { type: 'boolean', default: false },
    key: { type: 'string' },
    stage: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    answers: { type: 'string' },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    report: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  noArguments(positionals);
  if (values.help) return print(HELP, 0);
  const attacks = chosen(values.only, values.quick);
  if (values.list) return print(renderList(attacks), 0);
  const { targets, stop } =
    values.url === undefined
      ? await openStage(
          stagesOf(values.stage ?? (values.quick ? QUICK_STAGES : STAGES).join(',')),
          generationOf(values),
          progress,
        )
      : await openRunning(values.url, { key: values.key ?? null, isOwned: values['i-own-this-gateway'] });
  const outcomes: Outcome[] = [];
  endWith(stop);
  try {
    for (const target of targets) {
      if (!values.json) process.stdout.write(`\n${[target.name, target.url].filter(Boolean).join(', ')}\n\n`);
      const onOutcome = (outcome: Outcome): void =>
        void (values.json || (progress(''), process.stdout.write(renderOutcome(outcome))));
      outcomes.push(
        ...(await runAttacks(values.quick ? untried(attacks, outcomes) : attacks, target, onOutcome, ({ id }) =>
          progress(id),
        )),
      );
    }
  } finally {
    progress('');
    await stop();
  }
  const summary = renderSummary(outcomes);
  const json = `${JSON.stringify({ outcomes, ...summary.counts })}\n`;
  if (values.report !== undefined) writeFileSync(values.report, json);
  process.stdout.write(values.json ? json : `\n${summary.line}\n`);
  return summary.counts.notHeld > 0 ? 1 : 0;
}

function chosen(only: string | undefined, isQuick: boolean): Attack[] {
  const beginnings = only?.split(',');
  const attacks = ATTACKS.filter(
    (attack) => (!isQuick || attack.isQuick) && (beginnings?.some((each) => attack.id.startsWith(each)) ?? true),
  );
  if (attacks.length === 0) throw new UsageError(`There is no attack ${JSON.stringify(only)}. --list shows them.`);
  return attacks;
}

/** Returns the attacks that were not applicable to any target so far. */
function untried(attacks: readonly Attack[], outcomes: readonly Outcome[]): Attack[] {
  return attacks.filter(({ id }) => !outcomes.some((each) => each.id === id && each.outcome !== 'not applicable'));
}

/** Parses the number of falsified answers and the seed. @throws {UsageError} if they are not numbers */
function generationOf({
  answers,
  seed,
  quick,
}: {
  answers?: string | undefined;
  seed?: string | undefined;
  quick: boolean;
}): Generation {
  const chosen = {
    answers: Number(answers ?? ANSWERS[quick ? 'quick' : 'whole']),
    seed: Number(seed ?? (quick ? 1 : Math.floor(Math.random() * SEED_MAX))),
  };
  if (!Object.values(chosen).every((each) => Number.isSafeInteger(each) && each > 0))
    throw new UsageError('--answers and --seed must be whole numbers of at least 1.');
  return chosen;
}

function stagesOf(list: string): StageName[] {
  return list.split(',').map((name) => {
    const stage = STAGES.find((each) => each === name);
    if (!stage) throw new UsageError(`There is no stage ${JSON.stringify(name)}. The stages are ${STAGES.join(', ')}.`);
    return stage;
  });
}

/** Stops all started programs when this program ends, on any signal. */
function endWith(stop: () => Promise<void>): void {
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    void stop().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
}

function print(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

exitCodeOf(main).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
