import { randomUUID } from 'node:crypto';
import type { AuditOutcome, Database } from './schema';

interface AuditedAction {
  /** Operator, as `user@host`. */
  actor: string;
  command: string;
  /** Options as JSON, without secret or personal data. */
  arguments: string;
}

interface AuditEntry extends AuditedAction {
  id: number;
  at: number;
  endedAt: number | null;
  outcome: AuditOutcome;
  detail: string;
}

/**
 * Records that a command begins. If this throws, the command must not run.
 * @returns a function that records the outcome once
 */
export async function beginAudit(
  db: Database,
  action: AuditedAction,
  now = Date.now,
): Promise<(outcome: Exclude<AuditOutcome, 'begun'>, detail: string) => Promise<void>> {
  const id = randomUUID();
  const write = async (outcome: AuditOutcome, detail: string): Promise<void> => {
    await db
      .insertInto('audit_log')
      .values({ ...action, action: id, at: now(), outcome, detail })
      .execute();
  };
  await write('begun', '');
  return write;
}

export async function listAudit(
  db: Database,
  { limit, command, before }: { limit: number; command?: string | undefined; before?: number | undefined },
): Promise<AuditEntry[]> {
  let query = db
    .selectFrom('audit_log as begun')
    .leftJoin('audit_log as ended', (join) =>
      join.onRef('ended.action', '=', 'begun.action').on('ended.outcome', '!=', 'begun'),
    )
    .select([
      'begun.id',
      'begun.at',
      'begun.actor',
      'begun.command',
      'begun.arguments',
      'ended.at as ended_at',
      'ended.outcome',
      'ended.detail',
    ])
    .where('begun.outcome', '=', 'begun')
    .orderBy('begun.id', 'desc')
    .limit(limit);
  if (command !== undefined) query = query.where('begun.command', '=', command);
  if (before !== undefined) query = query.where('begun.id', '<', before);
  return (await query.execute()).map(({ ended_at, outcome, detail, ...entry }) => ({
    ...entry,
    endedAt: ended_at,
    outcome: outcome ?? 'begun',
    detail: detail ?? '',
  }));
}
