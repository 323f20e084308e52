import { NO_ACCOUNT } from '../auth/caller';
import type { PaidCall } from '../billing/paid-call';
import { readMultipart } from '../http/multipart/read-multipart';
import { UploadedFile } from '../http/multipart/uploaded-file';
import type { Transcriptions } from './transcriptions';

/** A call's uploaded file and upload slot. When the call has ended, `remove` must be called. */
export class ReceivedAudio {
  #file: UploadedFile | null = null;
  #free: (() => void) | null = null;

  /** @throws ApiError 400, 413 or 415 for an unreadable body, and OVERLOADED if no slot is free */
  async receive(
    paid: PaidCall,
    { config, places, folder }: Pick<Transcriptions, 'config' | 'places' | 'folder'>,
  ): Promise<{ file: UploadedFile; fields: ReadonlyMap<string, readonly string[]> }> {
    // All callers who cannot pay share the slots of one account. Otherwise one person could take all slots with many
    // free accounts.
    const { caller, spendableNanoUsd } = paid;
    const funds = spendableNanoUsd < Infinity ? spendableNanoUsd : await paid.spendable();
    this.#free = places.take(funds > 0 ? caller.accountId : NO_ACCOUNT);
    this.#file = await UploadedFile.create(folder);
    const fields = await readMultipart(paid, { name: 'file', bytesMax: config.fileBytesMax, file: this.#file });
    return { file: this.#file, fields };
  }

  async remove(): Promise<void> {
    try {
      await this.#file?.close();
    } finally {
      this.#free?.();
    }
  }
}
