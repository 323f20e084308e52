import { RpcNetworks } from '../upstreams/nodes/networks';
import type { OfflineCommand } from './command';

/** `config check`. That it runs at all means that the configuration was read, and has no fault. */
export const checkConfig: OfflineCommand = {
  offline: true,
  name: 'config check',
  summary: 'Check the configuration and show what it comes to, without secrets',
  options: {},
  argument: { name: 'FILE', description: 'The file; without it, the one that a gateway here would use' },
  secretNeeded: true,
  run: async ({ config, source }) => {
    const rpc = new RpcNetworks(config);
    const upstreams = Object.fromEntries(rpc.slugs.map((slug) => [slug, config.networks[slug]?.upstreams.length ?? 0]));
    await rpc.close();
    const configured = Object.values(upstreams).filter((count) => count > 0).length;
    const { warnings } = config;
    return {
      text: [
        `The configuration is sound: profile ${config.profile}, data in ${config.dataDir}, accounts in ${config.databaseUrl ? 'the Postgres of DATABASE_URL' : 'SQLite there'}.`,
        source.file === null ? 'There is no file: defaults and variables alone.' : `Read from ${source.file}.`,
        `Networks with an upstream of their own: ${configured} of ${rpc.slugs.length}${config.profile === 'sandbox' ? '; stand-ins serve the other EVM and Solana networks' : ''}.`,
        ...(warnings.length === 0
          ? []
          : ['', `Doubtful (${warnings.length}):`, ...warnings.map((warning) => `  ${warning}`)]),
      ].join('\n'),
      json: {
        ok: true,
        file: source.file,
        profile: config.profile,
        dataDir: config.dataDir,
        store: config.databaseUrl ? 'postgres' : 'sqlite',
        limits: config.limits,
        pricePerCreditUsd: config.pricePerCreditUsd,
        upstreams,
        warnings,
      },
    };
  },
};
