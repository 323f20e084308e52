import { type Fault, NotMade, type Seen, type Stage } from './fault';

/** What came of a fault: what was seen of it, or why not. */
export interface Outcome {
  fault: string;
  seen: Seen | null;
  /** What did not hold. */
  error: string | null;
  /** What this machine does not give. */
  notMade: string | null;
}

/** Makes a fault, and ends all that was started for it. */
export async function make(fault: Fault, awaySeconds: number): Promise<Outcome> {
  const ends: (() => unknown)[] = [];
  const stage: Stage = { awaySeconds, track: (thing, end) => (ends.push(() => end(thing)), thing) };
  const outcome: Outcome = { fault: fault.name, seen: null, error: null, notMade: null };
  try {
    outcome.seen = await fault.run(stage);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    outcome[error instanceof NotMade ? 'notMade' : 'error'] = message;
  } finally {
    for (const end of ends.reverse()) await ended(end);
  }
  return outcome;
}

async function ended(end: () => unknown): Promise<void> {
  try {
    await end();
  } catch (error) {
    process.stderr.write(`what was started could not be ended: ${String(error)}\n`);
  }
}

/** An outcome in a line. */
export function told({ fault, error, notMade }: Outcome): string {
  if (notMade !== null) return `${fault}: NOT MADE: ${notMade}`;
  return error === null ? `${fault}: held` : `${fault}: DID NOT HOLD: ${error}`;
}

/** Outcomes as the runbook has them. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => {
    const { fault, seen } = outcome;
    return `| \`${fault}\` | ${seen ? `${seen.callers} | ${seen.charged} | ${seen.operator} | ${seen.ends}` : `${told(outcome).slice(fault.length + 2)} | | |`} |\n`;
  });
  return `| fault | callers see | charged is | the operator sees | it ends |\n|---|---|---|---|---|\n${rows.join('')}`;
}
