import { join } from 'node:path';
import type { Program } from '../program';

export const claudeCode: Program = {
  name: 'claude-code',
  title: 'Claude Code',
  packages: { '@anthropic-ai/claude-code': '2.1.332' },
  api: 'Messages',
  invoke: ({ prompt, continues, modules, anthropicUrl, key, home, model }) => ({
    command: [
      process.execPath,
      join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs'),
      '-p',
      prompt,
      ...(continues ? ['--continue'] : []),
      '--dangerously-skip-permissions',
    ],
    env: {
      ANTHROPIC_BASE_URL: anthropicUrl,
      ANTHROPIC_AUTH_TOKEN: key,
      ...(model !== null && {
        ANTHROPIC_MODEL: model,
        ANTHROPIC_SMALL_FAST_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      }),
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      // As root, the program skips permission prompts only in a sandbox. The temporary folder counts as one.
      IS_SANDBOX: '1',
    },
  }),
};
