import { randomUUID } from 'node:crypto';
import type { AuditOutcome, Database } from './schema';

/** What an operator does, before it is done. */
export interface AuditedAction {
  /** Who, as `user@host`. */
  actor: string;
  command: string;
  /** Options as JSON, without what is secret or personal. */
  arguments: string;
}

/** An action of an operator, with what came of it. */
export interface AuditEntry extends AuditedAction {
  id: number;
  at: number;
  endedAt: number | null;
  /** `begun` where it was broken off, or is under way. */
  outcome: AuditOutcome;
  detail: string;
}

/**
 * Writes down that an action begins. What cannot be written down is not done: the caller lets the error pass.
 * @returns what writes down how it ended, once.
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

/** What operators did, newest first, each with its outcome. */
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
