import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL } from '../model-server';
import type { Program } from '../program';
import { PICTURE_FILE } from '../tasks';

export const qwenCode: Program = {
  name: 'qwen-code',
  title: 'qwen-code',
  packages: { '@qwen-code/qwen-code': '0.24.4' },
  api: 'Chat Completions',
  invoke: ({ task, prompt, continues, modules, openaiUrl, key, home }) => {
    mkdirSync(join(home, '.qwen'), { recursive: true });
    // The program assumes that an unknown model cannot read images.
    const settings = {
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'openai' } },
      model: { generationConfig: { modalities: { image: true } } },
    };
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(settings));
    const asked = task === 'image' ? `${prompt} @${PICTURE_FILE}` : prompt;
    return {
      command: [
        process.execPath,
        join(modules, '@qwen-code/qwen-code/cli.js'),
        ...(continues ? ['--continue'] : []),
        '--yolo',
        '--auth-type',
        'openai',
        '--model',
        MODEL,
        asked,
      ],
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: openaiUrl, OPENAI_MODEL: MODEL },
    };
  },
};
