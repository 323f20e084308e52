import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IMAGE_FORMATS } from '@/lib/protocol/images/image-requests';
import { AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import { handedOver, type Media } from './handed-media';

// Fixes the random part of the file name, so that the test can put a link at that path.
const ID = '000000000001';

let root = '';
let folder = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'turnpike-media-')));
  folder = join(root, 'media');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = new TextEncoder().encode('ssh-ed25519 AAAA thief');

describe('media that a gateway sent', () => {
  test.each([...AUDIO_FORMATS, ...IMAGE_FORMATS, 'mp4'] as const)(
    'as %s are a file in the folder, named by the format alone',
    async (format) => {
      const { structuredContent } = await handedOver({ bytes, format }, folder);
      const file = String(structuredContent?.['file']);
      expect([dirname(file), basename(file)]).toEqual([
        folder,
        expect.stringMatching(/^(speech|image|video)-[0-9a-f]{12}\.[a-z0-9]{3,4}$/),
      ]);
      expect(readFileSync(file)).toEqual(Buffer.from(bytes));
    },
  );

  test.each(['mp3/../../authorized_keys', '../x', 'toString', '__proto__', '', 'mp3\0'])(
    'of the format %j are written nowhere',
    async (format) => {
      mkdirSync(join(folder, 'speech-000000000001.mp3'));
      // Refused at run time too, although the types exclude it.
      await expect(handedOver({ bytes, format } as unknown as Media, folder)).rejects.toMatchObject({
        code: 'ANSWER_MALFORMED',
      });
      expect(readdirSync(root, { recursive: true }).sort()).toEqual(['media', 'media/speech-000000000001.mp3']);
    },
  );

  test('never go through a link that stands where the file would be, nor over a file', async () => {
    const target = join(root, 'authorized_keys');
    symlinkSync(target, join(folder, 'speech-000000000001.mp3'));
    const answer = await handedOver({ bytes, format: 'mp3' }, folder, ID);
    expect(existsSync(target)).toBe(false);
    // Paid media is returned inside the answer instead.
    expect(answer.content).toMatchObject([
      { type: 'audio', mimeType: 'audio/mpeg', data: Buffer.from(bytes).toString('base64') },
    ]);
  });

  test('are named by the place that a linked folder leads to', async () => {
    symlinkSync(folder, join(root, 'link'));
    const { structuredContent } = await handedOver({ bytes, format: 'wav' }, join(root, 'link'), ID);
    expect(structuredContent).toMatchObject({ file: join(folder, 'speech-000000000001.wav'), mimeType: 'audio/wav' });
  });
});
