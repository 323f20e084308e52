import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawImage } from '../images/draw-image';
import { sightOf } from './picture-sight';

/** Guarantee: the sandbox's seeing models describe the pixels of the pictures that they are sent. */

const SEER = { id: 'guide', place: 'guide', isEncryptable: false, sees: true } as const;

const square = (background: string, alpha = 1) =>
  sharp({ create: { width: 60, height: 40, channels: 4, background } }).ensureAlpha(alpha);
/** A picture of two colours, a quarter of it in the second one. */
const twoColours = () =>
  square('#1d4ed8').composite([
    { input: { create: { width: 15, height: 40, channels: 3, background: '#facc15' } }, left: 0, top: 0 },
  ]);
const urlOf = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const ask = (...contents: unknown[]) =>
  sightOf(SEER, {
    model: 'guide',
    messages: contents.map((content) => ({ role: 'user', content })),
    isStream: false,
    includesUsage: false,
    tokensMax: null,
    topLogprobs: null,
    schema: null,
    wantsJson: false,
    tools: [],
    toolChoice: 'auto',
  });

describe('a model that sees tells size and main colours from the decoded pixels', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('of %s', async (type) => {
    const sight = await ask([image(urlOf(type, await twoColours().toFormat(type, { quality: 95 }).toBuffer()))]);
    expect(sight?.description).toMatch(/60 × 40 pixels/);
    expect(sight?.description).toMatch(/blue `#[12][0-9a-f]{5}` 7[3-7] %, yellow `#f[0-9a-f]{5}` 2[3-7] %/);
    expect(sight?.tokens).toBe(6);
  });

  it('of a picture that the sandbox drew, of a transparent one on white, and of grey ones', async () => {
    const drawn = await drawImage({ prompt: 'x', negativePrompt: '', seed: 1, width: 64, height: 48 });
    expect((await ask([image(urlOf('png', drawn))]))?.description).toContain('PNG, 64 × 48 pixels');
    const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer();
    expect((await ask([image(urlOf('png', clear))]))?.description).toContain('white `#ffffff` 100 %');
    const grey = await square('#808080').greyscale().png().toBuffer();
    expect((await ask([image(urlOf('png', grey))]))?.description).toMatch(/grey `#8\w{5}` 100 %/);
  });

  it('upright, where a photo says that it lies on its side', async () => {
    const photo = await twoColours().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await ask([image(urlOf('jpeg', photo))]))?.description).toContain('40 × 60 pixels');
  });

  it('of the last message alone, while the tokens are those of all', async () => {
    const url = urlOf('png', await twoColours().png().toBuffer());
    const both = await ask([image(url)], [{ type: 'text', text: 'And these?' }, image(url), image(url)]);
    expect(both?.description).toMatch(/Picture 1: .*Picture 2: /s);
    expect(both?.tokens).toBe(18);
    expect(await ask([image(url)], 'And now?')).toEqual({ tokens: 6, description: null });
  });
});

describe('what is no picture is refused with a sentence', () => {
  it.each([
    ['noise', urlOf('png', Buffer.from('no picture'))],
    ['a cut picture', urlOf('png', Buffer.from('89504e470d0a1a0a0000', 'hex'))],
    ['SVG, which could name files', urlOf('png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['an address', 'https://example.com/a.png'],
    ['a file', 'file:///etc/passwd'],
  ])('%s', async (_what, url) => {
    await expect(ask([image(url)])).rejects.toMatchObject({ status: 400, name: 'Refusal' });
  });

  it('too many pictures, and too many pixels', async () => {
    const url = urlOf('png', await twoColours().png().toBuffer());
    await expect(ask(Array.from({ length: 17 }, () => image(url)))).rejects.toMatchObject({ status: 400 });
    const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await expect(ask([image(urlOf('png', bomb))])).rejects.toMatchObject({ status: 400 });
  });
});

it('a model that does not see is not shown the pictures', async () => {
  const { sees: _sees, ...blind } = SEER;
  expect(
    await sightOf(blind, { messages: [{ role: 'user', content: [image('data:,')] }] } as unknown as Parameters<
      typeof sightOf
    >[1]),
  ).toBeUndefined();
});
