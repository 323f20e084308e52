import { askGateways, controlAnswerSchema } from './control-socket';
import type { PlaceCommand } from './command';

/**
 * Makes each gateway reread its configuration file. The gateway's environment variables stay as they were at its start.
 */
export const reloadGateways: PlaceCommand = {
  placeOnly: true,
  name: 'reload',
  summary: 'Make the gateways on the data folder reload upstreams, prices and limits from their file',
  options: {},
  run: async ({ dataDir }) => {
    const gateways = await askGateways(dataDir, 'reload', controlAnswerSchema);
    if (gateways.length === 0) {
      const message = `No gateway runs on ${dataDir}. Name another data folder with --data, or the configuration file with --config.`;
      return { text: message, json: { ok: false, error: message, gateways: [] }, exitCode: 1 };
    }
    const ok = gateways.every(({ answer }) => answer?.ok === true);
    const lines = gateways.flatMap(({ pid, answer }) => [
      `Gateway ${pid}: ${answer?.message ?? 'The gateway did not answer. Read its log.'}`,
      ...(answer?.faults ?? []).map((fault) => `  ${fault}`),
      ...(answer?.ok ? answer.changed.map((path) => `  ${path}`) : []),
    ]);
    return {
      text: lines.join('\n'),
      json: {
        ok,
        gateways: gateways.map(({ pid, answer }) => ({
          pid,
          ...(answer ?? { ok: false, message: 'The gateway did not answer.' }),
        })),
      },
      exitCode: ok ? 0 : 1,
    };
  },
};
