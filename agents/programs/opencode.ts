import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL } from '../model-server';
import type { Program } from '../program';
import { PICTURE_FILE } from '../tasks';

export const opencode: Program = {
  name: 'opencode',
  title: 'opencode',
  packages: { 'opencode-ai': '1.18.33' },
  api: 'Chat Completions',
  invoke: ({ task, prompt, continues, modules, openaiUrl, key, home }) => {
    const folder = join(home, '.config', 'opencode');
    mkdirSync(folder, { recursive: true });
    const models = {
      [MODEL]: {
        name: MODEL,
        attachment: true,
        tool_call: true,
        modalities: { input: ['text', 'image'], output: ['text'] },
        limit: { context: 200_000, output: 8_192 },
      },
    };
    const config = {
      autoupdate: false,
      share: 'disabled',
      provider: {
        turnpike: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Turnpike',
          options: { baseURL: openaiUrl, apiKey: key },
          models,
        },
      },
      model: `turnpike/${MODEL}`,
      small_model: `turnpike/${MODEL}`,
    };
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
    const image = task === 'image' ? ['-f', PICTURE_FILE] : [];
    return {
      command: [binary(modules), 'run', ...(continues ? ['--continue'] : []), prompt, ...image],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        OPENCODE_PERMISSION: JSON.stringify({ '*': 'allow' }),
      },
    };
  },
};

/**
 * Returns the path of the native program that npm installed for this machine. Prefers the build for older processors.
 */
function binary(modules: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const base = `opencode-${platform}-${process.arch}`;
  const found = [`${base}-baseline`, base, `${base}-baseline-musl`, `${base}-musl`]
    .map((name) => join(modules, name, 'bin', 'opencode'))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error(`npm installed no opencode for ${platform} on ${process.arch}.`);
  return found;
}
