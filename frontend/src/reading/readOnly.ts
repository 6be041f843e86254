/** Which debates can only be read. */
import { sampleNamed } from "../samples/address";
import { SHARED_VIEW } from "../share";

/** A shared file and a sample are read; there is no run behind them. */
export const readOnly = (id: string) => SHARED_VIEW !== null || sampleNamed(id) !== "";
