import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../config/secret';
import { tempFolder } from '@/test/temp-folder';
import { serve } from '@/test/test-gateway';
import { FolderStorage, type MediaStorage, StorageAway, type WholeFile } from './media-storage';
import { S3Storage } from './s3-storage';

const KEY_ID = 'AKIDEXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const REGION = 'eu-test-1';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Computes the Authorization header of Signature Version 4 from the received request. */
function expectedAuthorization(request: IncomingMessage, body: Buffer): string {
  const given = /Credential=([^,]+), ?SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '');
  const [credential = '', signedHeaders = ''] = given?.slice(1) ?? [];
  const date = String(request.headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${REGION}/s3/aws4_request`;
  if (credential !== `${KEY_ID}/${scope}`) return `another credential than ${credential}`;
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, request.url, '', headers.join(''), signedHeaders, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(
    (parent, part) => hmac(parent, part),
    hmac(hmac(`AWS4${SECRET}`, date.slice(0, 8)), REGION),
  );
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${hmac(key, toSign).toString('hex')}`;
}

/** Simulates a bucket that refuses wrong signatures. */
class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly refusals: string[] = [];
  /** Statuses with which to answer the next requests. */
  readonly faults: number[] = [];

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const fault = this.faults.shift();
    if (fault !== undefined) return void response.writeHead(fault).end('<Error/>');
    if (
      request.headers.authorization !== expectedAuthorization(request, body) ||
      request.headers['x-amz-content-sha256'] !== sha256(body)
    ) {
      this.refusals.push(
        `${request.method} ${request.url}: ${request.headers.authorization} is not ${expectedAuthorization(request, body)}`,
      );
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
    const key = request.url ?? '';
    if (request.method === 'PUT') return void (this.objects.set(key, body), response.writeHead(200).end());
    if (request.method === 'DELETE') return void (this.objects.delete(key), response.writeHead(204).end());
    const object = this.objects.get(key);
    if (object) response.writeHead(200, { 'content-length': object.length }).end(object);
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  }
}

async function openBucket(secret = SECRET): Promise<{ bucket: Bucket; storage: S3Storage }> {
  const bucket = new Bucket();
  const { origin } = await serve((request, response) => void bucket.answer(request, response));
  const storage = new S3Storage({
    kind: 's3',
    endpoint: origin,
    region: REGION,
    bucket: 'films',
    prefix: 'video/',
    accessKeyId: new Secret(KEY_ID),
    secretAccessKey: new Secret(secret),
  });
  onTestFinished(() => storage.close());
  return { bucket, storage };
}

function wholeFile(content: Buffer): WholeFile {
  const path = join(tempFolder(), 'film.part');
  writeFileSync(path, content);
  return { path, bytes: content.length, sha256: sha256(content) };
}

async function read(storage: MediaStorage, name: string): Promise<Buffer | null> {
  const media = await storage.open(name);
  return media && buffer(media.stream);
}

describe.each<[string, () => Promise<MediaStorage>]>([
  ['a folder', () => Promise.resolve(new FolderStorage(join(tempFolder(), 'video')))],
  ['an S3-compatible storage', async () => (await openBucket()).storage],
])('%s', (_name, open) => {
  it('keeps a video whole, replaces it, gives it back, and deletes it for good', async () => {
    const storage = await open();
    for (const content of [randomBytes(300_000), randomBytes(10)]) {
      await storage.keep('a-1.mp4', wholeFile(content));
      expect((await storage.open('a-1.mp4'))?.bytes).toBe(content.length);
      expect(await read(storage, 'a-1.mp4')).toEqual(content);
    }
    await storage.delete('a-1.mp4');
    expect(await storage.open('a-1.mp4')).toBeNull();
    await expect(storage.delete('a-1.mp4')).resolves.toBeUndefined();
  });

  it('has nothing under a name that was never kept', async () => {
    expect(await (await open()).open('b.mp4')).toBeNull();
  });
});

describe('a folder', () => {
  it.each(['../a.mp4', 'a/b.mp4', '.', '', 'a.mp4\0'])('does not leave itself for a name like %j', async (name) => {
    await expect(new FolderStorage(tempFolder()).open(name)).rejects.toThrow('name of the media is not valid');
  });

  it('deletes a copy too that a crash cut off', async () => {
    const folder = tempFolder();
    for (const name of ['a.mp4', 'a.mp4.part', 'b.mp4']) writeFileSync(join(folder, name), 'film');
    await new FolderStorage(folder).delete('a.mp4');
    expect(readdirSync(folder)).toEqual(['b.mp4']);
  });

  it('that was taken away whole has nothing, and keeps the next', async () => {
    const parent = tempFolder();
    const storage = new FolderStorage(join(parent, 'video'));
    const { rmSync } = await import('node:fs');
    rmSync(join(parent, 'video'), { recursive: true });
    expect(await storage.open('a.mp4')).toBeNull();
    await storage.keep('a.mp4', wholeFile(Buffer.from('film')));
    expect(await read(storage, 'a.mp4')).toEqual(Buffer.from('film'));
  });
});

describe('an S3-compatible storage', () => {
  it('is addressed by path, and every request is signed over its bytes', async () => {
    const { bucket, storage } = await openBucket();
    await storage.keep('a.mp4', wholeFile(Buffer.from('film')));
    expect([...bucket.objects.keys()]).toEqual(['/films/video/a.mp4']);
    await storage.open('a.mp4').then((media) => media?.stream.resume());
    await storage.delete('a.mp4');
    expect(bucket.refusals).toEqual([]);
  });

  it('that refuses the key, or is away, says so without the key', async () => {
    const { storage } = await openBucket('another secret');
    const failure = await storage
      .keep('a.mp4', wholeFile(Buffer.from('film')))
      .catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(StorageAway);
    expect(String(failure)).not.toMatch(/another secret|AKID/);
    await expect(storage.open('a.mp4')).rejects.toBeInstanceOf(StorageAway);
    await expect(storage.delete('a.mp4')).rejects.toBeInstanceOf(StorageAway);
  });

  it('is asked again where it fails for a moment', async () => {
    const { bucket, storage } = await openBucket();
    bucket.faults.push(503, 500);
    await storage.keep('a.mp4', wholeFile(Buffer.from('film')));
    expect(bucket.objects.size).toBe(1);
    bucket.faults.push(500, 500, 500);
    await expect(storage.open('a.mp4')).rejects.toBeInstanceOf(StorageAway);
  });
});
