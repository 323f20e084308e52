import { furtherNetwork } from '@/lib/protocol/further-network';
import { findNetwork, type Network, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { Config } from '../../config/load';
import { mapBounded } from '../../upstreams/nodes/map-bounded';
import type { OfflineCommand } from '../command';
import { wholeNumber } from '../options';
import { type ClockReading, judgeClock } from './clock';
import { lookAtDatabase } from './database';
import { lookAtConfigFile, lookAtDataFolder } from './files';
import { type Finding, ok, warning } from './finding';
import { lookAtModels, modelServers } from './models';
import { lookAtNode } from './nodes';
import { lookAtRail } from './rails';

interface Examination {
  file: string | null;
  timeoutMs?: number;
  now?: () => number;
}

const TIMEOUT_MS = 5_000;
const AT_ONCE_MAX = 16;

type Look = () => Promise<{ findings: Finding[]; clock?: ClockReading | null }>;

/**
 * Checks a configuration against the outside world: upstreams, chains, receivers, facilitators, clock, files, disk and
 * database. Changes nothing. Runs up to 16 checks at a time. `timeoutMs` limits each request.
 */
export async function examine(
  config: Config,
  { file, timeoutMs = TIMEOUT_MS, now = Date.now }: Examination,
): Promise<Finding[]> {
  const plain =
    (look: () => Promise<Finding | Finding[]>): Look =>
    async () => ({ findings: [await look()].flat() });
  const looks: Look[] = [
    plain(() => lookAtConfigFile(file)),
    plain(() => lookAtDataFolder(config.dataDir)),
    plain(() => lookAtDatabase(config, timeoutMs)),
    ...nodeLooks(config, timeoutMs, now),
    ...modelServers(config).map((server) => plain(() => lookAtModels(server, timeoutMs))),
    ...config.payments.rails.map((rail, index) =>
      plain(() => lookAtRail(rail, `payments.rails[${index}]`, config, timeoutMs)),
    ),
  ];
  const seen = await mapBounded(looks, AT_ONCE_MAX, (look) => look());
  const doubts = config.warnings.map((text) => {
    const end = text.indexOf(': ');
    return warning(
      text.slice(0, end),
      text.slice(end + 2),
      'See docs/operating.md#configuration for the expected value.',
    );
  });
  const asked = seen.some(({ clock }) => clock !== undefined);
  const readings = seen.flatMap(({ clock }) => clock ?? []);
  return [
    ...doubts,
    ...seen.flatMap(({ findings }) => findings),
    ...(asked
      ? [judgeClock(readings)]
      : [ok('clock', 'No upstream is configured, so the clock could not be compared.')]),
  ];
}

function nodeLooks({ networks }: Config, timeoutMs: number, now: () => number): Look[] {
  return Object.entries(networks).flatMap(([slug, settings]) => {
    const network = networkOf(slug, settings);
    return settings.upstreams.map(
      (upstream, index): Look =>
        () =>
          lookAtNode({
            network,
            subject: `networks.${slug}.upstreams[${index}]`,
            upstream,
            chainIdentity: settings.chainIdentity,
            timeoutMs,
            now,
          }),
    );
  });
}

function networkOf(slug: string, settings: Config['networks'][string]): Network {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? furtherNetwork(slug, settings);
}

const TIMEOUT_MS_MAX = 60_000;
const MARKS: Readonly<Record<Finding['verdict'], string>> = { ok: 'ok      ', warning: 'WARNING ', fault: 'FAULT   ' };

export const runDoctor: OfflineCommand = {
  offline: true,
  name: 'doctor',
  summary: 'Check the configuration, its upstreams and services, and say what to fix',
  options: {
    'timeout-ms': { type: 'string', value: 'MS', description: 'Timeout of each request; 5000 by default' },
  },
  argument: {
    name: 'FILE',
    description: 'Configuration file; by default the file that a gateway in this folder would use',
  },
  secretNeeded: true,
  run: async ({ config, source, options }) => {
    const timeoutMs = wholeNumber(options, 'timeout-ms', TIMEOUT_MS_MAX);
    const findings = await examine(config, { file: source.file, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    const count = (verdict: Finding['verdict']): number => findings.filter((each) => each.verdict === verdict).length;
    const [faults, warnings] = [count('fault'), count('warning')];
    const lines = findings.flatMap(({ subject, verdict, sentence, remedy }) => [
      `${MARKS[verdict]}${subject}: ${sentence}`,
      ...(remedy === null ? [] : [`        ${remedy}`]),
    ]);
    return {
      text: [
        ...lines,
        '',
        `${findings.length} checks: ${faults} fault${faults === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`,
      ].join('\n'),
      json: { ok: faults === 0, file: source.file, faults, warnings, findings },
      exitCode: faults === 0 ? 0 : 1,
    };
  },
};
