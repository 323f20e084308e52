/**
 * Types for the WebAssembly build of @evan/opus, which ships no types. The gateway avoids the package's main entry,
 * whose native addon crashes when the addon's thread ends.
 */
declare module '@evan/opus/wasm/index.mjs' {
  export class Encoder {
    constructor(options: { channels: 1 | 2; sample_rate: number; application: 'voip' | 'audio' | 'restricted_lowdelay' });
    /** Calls opus_encoder_ctl. Without a value, returns the current value. @throws if the encoder refuses the value */
    ctl(request: number, value?: number): number;
    /** Encodes one frame of 16-bit samples. The returned packet does not share memory with later packets. */
    encode(samples: ArrayBufferView): Uint8Array<ArrayBuffer>;
    drop(): void;
  }
}
