import { checkLedger } from '../billing/ledger-check';
import { noteLedgerCheck } from '../billing/ledger-check-record';
import type { StoreCommand } from './command';

/** `ledger check` */
export const checkBooks: StoreCommand = {
  name: 'ledger check',
  summary: 'Prove that every balance equals the sum of its ledger rows',
  options: {},
  run: async ({ db }) => {
    const { accounts, rows, faults } = await checkLedger(db);
    await noteLedgerCheck(db, { at: Date.now(), faults: faults.length });
    const sound = faults.length === 0;
    const head = `${rows} ledger rows of ${accounts} accounts: ${sound ? 'the books agree.' : `${faults.length} faults.`}`;
    return { text: [head, ...faults].join('\n'), json: { ok: sound, accounts, rows, faults }, exitCode: sound ? 0 : 1 };
  },
};
