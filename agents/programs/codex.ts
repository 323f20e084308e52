import { join } from 'node:path';
import type { Program } from '../program';
import { PICTURE_FILE } from '../tasks';

export const codex: Program = {
  name: 'codex',
  title: 'Codex CLI',
  packages: { '@openai/codex': '0.171.0' },
  api: 'Responses',
  invoke: ({ task, prompt, continues, modules, openaiUrl, key, home, model }) => {
    const settings = {
      ...(model !== null && { model }),
      model_provider: 'turnpike',
      'model_providers.turnpike.name': 'Turnpike',
      'model_providers.turnpike.base_url': openaiUrl,
      'model_providers.turnpike.env_key': 'TURNPIKE_API_KEY',
      'model_providers.turnpike.wire_api': 'responses',
    };
    const options = [
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]),
      '-c',
      'analytics.enabled=false',
      '-c',
      'check_for_update_on_startup=false',
      '--dangerously-bypass-approvals-and-sandbox',
      '--skip-git-repo-check',
    ];
    const image = task === 'image' ? ['-i', PICTURE_FILE] : [];
    return {
      command: [
        process.execPath,
        join(modules, '@openai/codex/bin/codex.js'),
        'exec',
        ...(continues ? ['resume', '--last'] : []),
        ...options,
        ...image,
        '--',
        prompt,
      ],
      env: { TURNPIKE_API_KEY: key, CODEX_HOME: home },
    };
  },
};
