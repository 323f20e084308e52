import type { Logger } from 'pino';
import { type Commands, type ControlAnswer, listenForCommands } from '@/lib/server/admin/control-socket';
import { changesBetween } from '@/lib/server/config/changes';
import { type Config, ConfigError, type ConfigSource, readConfig } from '@/lib/server/config/load';

export interface Reloading {
  log: Logger;
  dataDir: string;
  /** What the gateway was started with. */
  source: ConfigSource;
  /** Serves by another configuration from now on, or throws and changes nothing. */
  takeOver(config: Config, changed: readonly string[]): Promise<void>;
  /** Writes down what came of it; where that fails, what was taken over stays so. */
  audit?(said: ControlAnswer): Promise<void>;
  /** How the gateway does, for `admin status`. */
  status: Commands['status'];
  read?: () => { config: Config; source: ConfigSource };
}

/**
 * Reads the configuration again when SIGHUP or `admin reload` says so, and takes it over as a whole or not at all. What
 * came of it is in the log and, of the command, in its answer.
 */
export async function listenForReloads({
  log,
  dataDir,
  source,
  takeOver,
  audit,
  status,
  read = () => readConfig(process.env, process.cwd()),
}: Reloading): Promise<{ reload(): Promise<ControlAnswer>; close(): Promise<void> }> {
  let current = source;
  let last: Promise<unknown> = Promise.resolve();
  const once = async (): Promise<ControlAnswer> => {
    const { config, source: next } = read();
    const { live, restart } = changesBetween(current, next);
    if (restart.length > 0)
      return refusal(
        'Nothing was taken over, and the gateway goes on as before: these changes need a restart.',
        restart.map((path) => `${path}: needs a restart`),
      );
    if (live.length === 0) return { ok: true, message: 'Nothing has changed.', changed: [], faults: [] };
    await takeOver(config, live);
    current = next;
    for (const warning of config.warnings) log.warn(`doubtful in the configuration: ${warning}`);
    return { ok: true, message: `Taken over (${live.length} changed).`, changed: live, faults: [] };
  };
  const reload = (): Promise<ControlAnswer> => {
    const answer = last.then(once).catch(failure);
    last = answer;
    return answer.then(async (said) => {
      await audit?.(said).catch((error: unknown) =>
        log.error({ err: error }, 'a reload could not be written into the audit log'),
      );
      log[said.ok ? 'info' : 'error'](
        { changed: said.changed, faults: said.faults },
        `reload of the configuration: ${said.message}`,
      );
      return said;
    });
  };
  const socket = await listenForCommands(dataDir, { reload, status });
  if (!socket)
    log.warn(
      'The path of the data folder is too long for a socket: `admin reload` does not reach this gateway, SIGHUP does.',
    );
  const onHangup = (): void => void reload();
  process.on('SIGHUP', onHangup);
  return {
    reload,
    close: async () => {
      process.off('SIGHUP', onHangup);
      await socket?.close();
    },
  };
}

function failure(error: unknown): ControlAnswer {
  if (error instanceof ConfigError)
    return refusal(
      'Nothing was taken over, and the gateway goes on as before: the configuration cannot be used.',
      error.faults,
    );
  return refusal('Nothing was taken over, and the gateway goes on as before.', [
    error instanceof Error ? error.message : String(error),
  ]);
}

function refusal(message: string, faults: readonly string[]): ControlAnswer {
  return { ok: false, message, changed: [], faults: [...faults] };
}
