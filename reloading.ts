import type { Logger } from 'pino';
import { type Commands, type ControlAnswer, listenForCommands } from '@/lib/server/admin/control-socket';
import { changesBetween } from '@/lib/server/config/changes';
import { type Config, ConfigError, type ConfigSource, readConfig } from '@/lib/server/config/load';

export interface Reloading {
  log: Logger;
  dataDir: string;
  source: ConfigSource;
  /** Applies a new configuration, or throws and changes nothing. */
  takeOver(config: Config, changed: readonly string[]): Promise<void>;
  /** Writes the result to the audit log. A failure does not undo the reload. */
  audit?(said: ControlAnswer): Promise<void>;
  status: Commands['status'];
  read?: () => { config: Config; source: ConfigSource };
}

/**
 * Reloads the configuration on SIGHUP or `admin reload`. Applies all changes or none. Logs the result, and returns it
 * to the command.
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
        'These changes need a restart. Nothing was changed, and the gateway keeps running.',
        restart.map((path) => `${path}: needs a restart`),
      );
    if (live.length === 0) return { ok: true, message: 'Nothing has changed.', changed: [], faults: [] };
    await takeOver(config, live);
    current = next;
    for (const warning of config.warnings) log.warn({ warning }, 'configuration warning');
    return { ok: true, message: `The configuration was reloaded (${live.length} changed).`, changed: live, faults: [] };
  };
  const reload = (): Promise<ControlAnswer> => {
    const answer = last.then(once).catch(failure);
    last = answer;
    return answer.then(async (said) => {
      await audit?.(said).catch((error: unknown) =>
        log.error({ err: error }, 'recording a reload in the audit log failed'),
      );
      log[said.ok ? 'info' : 'error'](
        { result: said.message, changed: said.changed, faults: said.faults },
        said.ok ? 'configuration reload finished' : 'configuration reload failed',
      );
      return said;
    });
  };
  const socket = await listenForCommands(dataDir, { reload, status });
  if (!socket)
    log.warn(
      "could not open a control socket, because the data folder's path is too long; reload with SIGHUP instead of `admin reload`",
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
      'The new configuration cannot be used. Nothing was changed, and the gateway keeps running.',
      error.faults,
    );
  return refusal('Nothing was changed, and the gateway keeps running.', [
    error instanceof Error ? error.message : String(error),
  ]);
}

function refusal(message: string, faults: readonly string[]): ControlAnswer {
  return { ok: false, message, changed: [], faults: [...faults] };
}
