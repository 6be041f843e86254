/** A seat by its name, and how it is shown. */
import { SideTag } from "../ui/Badge";
import type { Floor, Seat } from "./events";

const HERE: Seat = { id: "", name: "", team: "", side: "", model: "", person: false };

export const seatOf = (floor: Floor, id: string): Seat =>
  floor.seats.find((seat) => seat.id === id) ?? { ...HERE, id, name: id };

/** The name of a model without those of its provider and owner. */
export const shortModel = (model: string): string => model.split("/").at(-1) ?? model;

/** The word of the side, and the name where that says more. */
export function Who({ seat }: { seat: Pick<Seat, "name" | "side"> }) {
  const more = seat.name.toLowerCase() !== seat.side;
  return <SideTag side={seat.side}>{more && <b className="font-semibold">{seat.name}</b>}</SideTag>;
}
