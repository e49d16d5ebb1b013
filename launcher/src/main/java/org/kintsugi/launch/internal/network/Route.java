// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/**
 * A way of messages between hosts. Under fault tolerance all are transports (btl) of Open MPI's own message layer, pml ob1: only
 * that one knows which messages are for failed processes, and agreement and revocation send their messages by it.
 *
 * @param library which sends the messages
 * @param device of the library: a provider of libfabric, a memory domain of UCX; empty: the one that the library prefers
 */
public record Route(Library library, String device) {
  /** TCP, which every job can take. */
  public static final Route TCP = new Route(Library.TCP, "");

  private static final Path INFINIBAND = Path.of("/sys/class/infiniband");
  private static final Pattern TEXT = Pattern.compile("(tcp|ofi|ucx)(?::([A-Za-z0-9_;.+-]+))?");
  /** The parameters of Open MPI that name devices. */
  private static final String DOMAINS = "btl_uct_memory_domains";
  private static final String PROVIDERS = "opal_common_ofi_provider_include";
  /** Devices that are memory which the processes of one host share. */
  private static final Set<String> SHARED_MEMORY = Set.of("posix", "sysv", "xpmem", "shm", "sm2");

  /** What sends the messages. */
  public enum Library {
    /** Sockets. */
    TCP("tcp"),
    /** Libfabric: Slingshot, Omni-Path. */
    OFI("ofi"),
    /** UCX: InfiniBand. */
    UCX("uct");

    private final String btl;

    Library(String btl) {
      this.btl = btl;
    }

    /** Whether an Open MPI has it. */
    public boolean isIn(MpiHome mpi) {
      return this == TCP || mpi.hasPlugin("btl_" + btl);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A route by its name.
   *
   * @param text {@code tcp}, {@code ofi}, {@code ofi:PROVIDER}, {@code ucx} or {@code ucx:DEVICE}
   */
  public static Route of(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches() || parts.group(1).equals("tcp") && parts.group(2) != null) {
      throw new LaunchException(
          "--network " + text + ": expected auto, tcp, ofi or ucx (with a provider of libfabric, or a device: "
              + "ofi:cxi, ucx:mlx5_0)");
    }
    return new Route(Library.valueOf(parts.group(1).toUpperCase(Locale.ROOT)), Optional.ofNullable(parts.group(2)).orElse(""));
  }

  /** Whether jobs under an Open MPI can take it. */
  public boolean canBeTaken(MpiHome mpi) {
    return library == Library.TCP || mpi.flavour() == Flavour.ULFM && library.isIn(mpi) && mpi.isPatched();
  }

  /**
   * Refuses a route that a job cannot take.
   *
   * @throws LaunchException which says what to do
   */
  public void check(MpiHome mpi) {
    if (canBeTaken(mpi)) {
      return;
    }
    if (mpi.flavour() == Flavour.REINIT) {
      throw new LaunchException("--network " + this + ": the Reinit++ fork can roll back shared memory and TCP only: leave the "
          + "option out, or take an Open MPI with ULFM (--flavour ulfm)");
    }
    throw new LaunchException("--network " + this + ": " + mpi.prefix() + (library.isIn(mpi)
        ? " was not built by Kintsugi, and its transport over " + library + " ends a job in which a process fails"
        : " has no transport over " + library + " built in") + ": make setup NETWORK=" + library + " in a checkout, or "
        + "build-from-tarball.sh --network=" + library + ", builds one that has it");
  }

  /**
   * Refuses a route on which failures are not survived. In UCX's and libfabric's shared memory a sender takes the next place in
   * its receiver's queue, and writes the message into it then (UCX: uct_mm_ep_am_common_send; libfabric: smr_generic_sendmsg). If
   * it is killed in between, the receiver waits for this message for good, and gets no other one.
   *
   * @throws LaunchException which says what to do
   */
  public void requireSurvival() {
    if (!doesSurvive()) {
      throw refusal("--network " + this);
    }
  }

  /** Refuses the same devices where parameters of Open MPI name them. */
  public static void requireSurvival(MpirunLine line) {
    for (String parameter : List.of(DOMAINS, PROVIDERS)) {
      String devices = line.value(parameter).orElse("");
      if (Stream.of(devices.split(",")).anyMatch(SHARED_MEMORY::contains)) {
        throw refusal("--mca " + parameter + " " + devices);
      }
    }
  }

  private static LaunchException refusal(String option) {
    return new LaunchException(option + ": in the shared memory of libfabric and UCX a process that is killed in the middle of a "
        + "message blocks its receiver for good: leave the option out (within a host, jobs take Open MPI's own shared memory, "
        + "which survives that), or run without fault tolerance (jmpirun --no-fault-tolerance)");
  }

  /** Whether jobs on it survive failures of processes. */
  public boolean doesSurvive() {
    return !SHARED_MEMORY.contains(device);
  }

  /**
   * Refuses a list of transports that the user has set, and which leaves this one out: it would win over the route.
   *
   * @throws LaunchException which says what to do
   */
  public void requireNotExcluded(MpirunLine line) {
    String set = line.value("btl").orElse("");
    boolean isExcluding = set.startsWith("^");
    boolean isNamed = List.of(set.substring(isExcluding ? 1 : 0).split(",")).contains(library.btl);
    if (!set.isEmpty() && isNamed == isExcluding) {
      throw new LaunchException(
          "--network " + this + ": the parameter btl, which is set to " + set + " (--mca btl, or OMPI_MCA_btl), "
              + "leaves its transport " + library.btl + " out: leave one of the two out");
    }
  }

  /** Has mpirun take this route. What the user has set stays. */
  public void addTo(MpirunLine line) {
    switch (library) {
      // Not even loaded: their libraries would cost time at each start, and take signals of the JVM.
      case TCP -> line.mca("--mca", "btl", "^ofi,uct");
      case OFI -> {
        line.mca("--mca", "btl", "self,sm,ofi");
        // One-sided and two-sided: by default it carries no messages.
        line.mca("--mca", "btl_ofi_mode", "2");
        if (!device.isEmpty()) {
          line.mca("--mca", PROVIDERS, device);
        }
      }
      case UCX -> {
        line.mca("--mca", "btl", doesSurvive() ? "self,sm,uct" : "self,uct");
        line.mca("--mca", DOMAINS, device.isEmpty() ? infiniBandDevices() : device);
        if (!device.isEmpty() && !isInfiniBand(device)) {
          line.mca("--mca", "btl_uct_transports", device);
        }
      }
      default -> throw new IllegalStateException(library.name());
    }
  }

  /** Options of mpirun with which processes of one host, too, reach each other over the network and not by shared memory. */
  public List<String> withinAHost() {
    return List.of("--mca", "btl", "self," + library.btl);
  }

  /** What is built in besides TCP, for a job that takes TCP; empty: nothing. */
  public static String untested(MpiHome mpi) {
    String others = String.join(" and ", Stream.of(Library.OFI, Library.UCX).filter(library -> library.isIn(mpi))
        .map(Library::toString).toList());
    return others.isEmpty() ? ""
        : " (" + others + " are there, too: kintsugi doctor --network tests them, and jobs take the quickest "
            + "that survives)";
  }

  private static boolean isInfiniBand(String device) {
    return Files.exists(INFINIBAND.resolve(device));
  }

  /** Whether this host has what it needs, as far as that can be seen: UCX must be given its devices by name. */
  boolean hasDevice() {
    return library != Library.UCX || !device.isEmpty() || !namesOfInfiniBand().isEmpty();
  }

  private static String namesOfInfiniBand() {
    try (Stream<Path> devices = Files.list(INFINIBAND)) {
      return String.join(",", devices.map(device -> device.getFileName().toString()).sorted().toList());
    } catch (IOException none) {
      return "";
    }
  }

  private static String infiniBandDevices() {
    String all = namesOfInfiniBand();
    if (!all.isEmpty()) {
      return all;
    }
    throw new LaunchException(
        "--network ucx: this host has no InfiniBand device (" + INFINIBAND + "): name a memory domain of UCX "
            + "(ucx_info -d lists them), as in ucx:mlx5_0 or ucx:tcp, or take --network tcp");
  }

  @Override
  public String toString() {
    return library + (device.isEmpty() ? "" : ":" + device);
  }
}
