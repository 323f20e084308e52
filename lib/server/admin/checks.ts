import { archiveFileFaults } from '../billing/retention/archive-check';
import { archivedBefore } from '../billing/retention/archive-ledger';
import { archiveLedger } from '../billing/retention/ledger-archiver';
import { checkLedger } from '../billing/ledger-check';
import { noteLedgerCheck } from '../billing/ledger-check-record';
import { type StoreCommand, UsageError } from './command';
import { wholeNumber } from './values';

const DAYS_MAX = 36_500;

/** `ledger check` */
export const checkBooks: StoreCommand = {
  name: 'ledger check',
  summary:
    'Prove that every balance equals the sum of its ledger rows, and that the archives have what daily rows stand for',
  options: {
    'without-archives': { type: 'boolean', description: 'Do not look for archive files, which are on another machine' },
  },
  run: async ({ db, config, options }) => {
    const { accounts, rows, faults: found } = await checkLedger(db);
    const files = options['without-archives'] === true ? [] : await archiveFileFaults(db, config.retention.archiveDir);
    const faults = [...found, ...files];
    await noteLedgerCheck(db, { at: Date.now(), faults: faults.length });
    const sound = faults.length === 0;
    const head = `${rows} ledger rows of ${accounts} accounts: ${sound ? 'the books agree.' : `${faults.length} faults.`}`;
    return { text: [head, ...faults].join('\n'), json: { ok: sound, accounts, rows, faults }, exitCode: sound ? 0 : 1 };
  },
};

/** `ledger archive` */
export const archiveBooks: StoreCommand = {
  name: 'ledger archive',
  summary:
    'Put charges of long ago into archive files, and daily rows in their place, as a gateway with retention.ledgerDays does by itself',
  audited: true,
  options: {
    days: {
      type: 'string',
      value: 'DAYS',
      description: 'Those older than so many whole days; retention.ledgerDays unless given',
    },
  },
  run: async ({ db, config, options }) => {
    const days = wholeNumber(options, 'days', DAYS_MAX) ?? config.retention.ledgerDays;
    if (days === null) throw new UsageError('Give --days, since retention.ledgerDays is not set.');
    if (days < 8)
      throw new UsageError(
        '--days must be at least 8: what looks for a charge by its request is through with it by then.',
      );
    const { archives, rows, daily } = await archiveLedger(db, {
      folder: config.retention.archiveDir,
      before: archivedBefore(days, Date.now()),
    });
    const text =
      archives === 0
        ? 'There is nothing to archive.'
        : `${rows} charges are in ${archives} archives in ${config.retention.archiveDir}, and ${daily} daily rows stand for them.`;
    return { text, json: { archives, rows, daily, folder: config.retention.archiveDir }, about: `${rows} rows` };
  },
};
