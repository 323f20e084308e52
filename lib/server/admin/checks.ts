import { RpcNetworks } from '../upstreams/nodes/networks';
import { checkLedger } from '../billing/ledger-check';
import type { OfflineCommand, StoreCommand } from './command';

/** `ledger check` */
export const checkBooks: StoreCommand = {
  name: 'ledger check',
  summary: 'Prove that every balance equals the sum of its ledger rows',
  options: {},
  run: async ({ db }) => {
    const { accounts, rows, faults } = await checkLedger(db);
    const sound = faults.length === 0;
    const head = `${rows} ledger rows of ${accounts} accounts: ${sound ? 'the books agree.' : `${faults.length} faults.`}`;
    return { text: [head, ...faults].join('\n'), json: { ok: sound, accounts, rows, faults }, exitCode: sound ? 0 : 1 };
  },
};

/** `config check`. That it runs at all means that the configuration was read. */
export const checkConfig: OfflineCommand = {
  offline: true,
  name: 'config check',
  summary: 'Check the configuration and show what it comes to, without secrets',
  options: {},
  run: async ({ config }) => {
    const rpc = new RpcNetworks(config);
    const upstreams = Object.fromEntries(rpc.slugs.map((slug) => [slug, config.networks[slug]?.upstreams.length ?? 0]));
    await rpc.close();
    const configured = Object.values(upstreams).filter((count) => count > 0).length;
    return {
      text: [
        `The configuration is sound: profile ${config.profile}, data in ${config.dataDir}, accounts in ${config.databaseUrl ? 'the Postgres of DATABASE_URL' : 'SQLite there'}.`,
        `Networks with an upstream of their own: ${configured} of ${rpc.slugs.length}${config.profile === 'sandbox' ? '; stand-ins serve the other EVM and Solana networks' : ''}.`,
      ].join('\n'),
      json: { ok: true, profile: config.profile, dataDir: config.dataDir, store: config.databaseUrl ? 'postgres' : 'sqlite', limits: config.limits, pricePerCreditUsd: config.pricePerCreditUsd, upstreams },
    };
  },
};
