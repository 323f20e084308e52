import { listAudit } from '../db/audit-log';
import type { StoreCommand } from './command';
import { table } from './table';
import { text, wholeNumber } from './values';

const LIMIT = 50;
const LIMIT_MAX = 10_000;

export const listAuditLog: StoreCommand = {
  name: 'audit list',
  summary: 'List the commands of operators, newest first, with actor, time and outcome',
  options: {
    limit: { type: 'string', value: 'COUNT', description: `Most entries to list; ${LIMIT} by default` },
    command: { type: 'string', value: 'NAME', description: 'Only of this command, such as "grants add"' },
    before: { type: 'string', value: 'ID', description: 'Only entries older than this id' },
  },
  run: async ({ db, options }) => {
    const entries = await listAudit(db, {
      limit: wholeNumber(options, 'limit', LIMIT_MAX) ?? LIMIT,
      command: text(options, 'command'),
      before: wholeNumber(options, 'before', Number.MAX_SAFE_INTEGER),
    });
    const shown = entries.map(({ at, endedAt, arguments: given, ...entry }) => ({
      ...entry,
      at: new Date(at).toISOString(),
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
      arguments: JSON.parse(given) as Record<string, string | boolean>,
    }));
    const rows = shown.map(({ id, at, actor, command, arguments: given, outcome, detail }) => [
      String(id),
      at,
      actor,
      command,
      JSON.stringify(given),
      outcome,
      detail,
    ]);
    return {
      text: table(
        ['ID', 'AT', 'WHO', 'COMMAND', 'ARGUMENTS', 'OUTCOME', 'ABOUT'],
        rows,
        'No operator command has run yet.',
      ),
      json: { entries: shown },
    };
  },
};
