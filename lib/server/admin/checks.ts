import { UsageError } from '@/lib/command-line/usage-error';
import { archiveFileFaults } from '../billing/retention/archive-check';
import { archivedBefore } from '../billing/retention/archive-ledger';
import { archiveLedger } from '../billing/retention/ledger-archiver';
import { checkSinceProof, noteLedgerCheck, proveWhole } from '../billing/ledger-check';
import { dropProof, saveProof } from '../billing/ledger-proof';
import type { StoreCommand } from './command';
import { wholeNumber } from './options';

const DAYS_MAX = 36_500;

export const checkBooks: StoreCommand = {
  name: 'ledger check',
  summary:
    'Check that every balance equals the sum of its ledger rows, and that archives match the daily rows that replaced charges',
  options: {
    full: { type: 'boolean', description: 'Check all rows and archives, also those that the last check proved' },
    'without-archives': { type: 'boolean', description: 'Skip archive files, because they are on another machine' },
  },
  run: async ({ db, config, options }) => {
    const isFull = options['full'] === true;
    const checked = await (isFull ? proveWhole(db) : checkSinceProof(db));
    const { accounts, rows, proof, since } = checked;
    const hasFiles = options['without-archives'] !== true;
    const files = hasFiles ? await archiveFileFaults(db, config.retention.archiveDir, since?.archiveId) : [];
    const faults = [...checked.faults, ...files];
    // If archive files were skipped, keeps the previous proof's archive id, so that the next check reads the skipped
    // files.
    if (faults.length === 0) await saveProof(db, hasFiles ? proof : { ...proof, archiveId: since?.archiveId ?? 0 });
    // Without a proof, the next check reads all rows, and so reports the fault again.
    else await dropProof(db);
    await noteLedgerCheck(db, { at: Date.now(), faults: faults.length });
    const sound = faults.length === 0;
    const head = `${rows} ${since ? 'new ledger rows, and the balances' : 'ledger rows'} of ${accounts} accounts: ${sound ? 'every balance agrees.' : `${faults.length} faults.`}`;
    return { text: [head, ...faults].join('\n'), json: { ok: sound, accounts, rows, faults }, exitCode: sound ? 0 : 1 };
  },
};

export const archiveBooks: StoreCommand = {
  name: 'ledger archive',
  summary:
    'Move old charges to archive files and replace them by daily rows; a gateway with retention.ledgerDays does this automatically',
  audited: true,
  options: {
    days: {
      type: 'string',
      value: 'DAYS',
      description: 'Charges older than this many whole days; retention.ledgerDays by default',
    },
  },
  run: async ({ db, config, options }) => {
    const days = wholeNumber(options, 'days', DAYS_MAX) ?? config.retention.ledgerDays;
    if (days === null) throw new UsageError('Give --days, because retention.ledgerDays is not set.');
    if (days < 8)
      throw new UsageError(
        '--days must be at least 8, because the gateway still looks up younger charges by their request.',
      );
    const { archives, rows, daily } = await archiveLedger(db, {
      folder: config.retention.archiveDir,
      before: archivedBefore(days, Date.now()),
    });
    const text =
      archives === 0
        ? 'There is nothing to archive.'
        : `${rows} charges were moved to ${archives} archives in ${config.retention.archiveDir}, and ${daily} daily rows replaced them.`;
    return { text, json: { archives, rows, daily, folder: config.retention.archiveDir }, about: `${rows} rows` };
  },
};
