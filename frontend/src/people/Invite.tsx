/** A link by which another person takes this seat; it is shown once. */
import { useMutation } from "@tanstack/react-query";
import { at, post, type SeatLink } from "../api";
import { Button } from "../ui/Button";
import { TextField } from "../ui/Field";
import { Problem } from "../ui/Said";
import { words } from "../words/doing";

/** Names of this machine for itself: a link to them opens nowhere else. */
const HERE = /^(localhost|127\.[\d.]+|\[::1\])$/;

export function Invite({ id, seat }: { id: string; seat: string }) {
  const made = useMutation({ mutationFn: (whose: string) => post<SeatLink>(at(id, "links"), { seat: whose }) });
  if (made.error) return <Problem error={made.error} />;
  if (!made.data)
    return (
      <Button busy={made.isPending} onClick={() => made.mutate(seat)}>
        {words.seat.invite.make}
      </Button>
    );
  return (
    <div className="w-full max-w-xl">
      <TextField
        label={words.seat.invite.link}
        hint={`${words.seat.invite.hint(made.data.hours)}${HERE.test(location.hostname) ? ` ${words.seat.invite.here}` : ""}`}
        readOnly
        value={location.origin + made.data.path}
        onFocus={(event) => event.target.select()}
      />
    </div>
  );
}
